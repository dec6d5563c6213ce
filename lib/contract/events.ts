/** What is logged, only after the visitor agreed. */
export const eventCodes = [
  'page_view',
  'download',
  'buy',
  'order_result',
  'repair_start',
  'repair_result',
  'sign_in',
] as const;
export type EventCode = (typeof eventCodes)[number];
