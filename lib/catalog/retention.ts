/**
 * For how many days the server keeps what is deleted by itself; the privacy policy names those that hold data
 * of visitors. Paid orders stay, as invoices must.
 */
export const keptDays = {
  events: 90,
  mails: 30,
  jobs: 30,
  audit: 730,
  messages: 365,
  unpaidOrders: 180,
  healthChecks: 1,
} as const;
