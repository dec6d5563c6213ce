/* What the examples of several calls share; moments are ISO 8601 in UTC. */

export const user = {
  id: '01JD8Z6F0Q9C4T1V7B2N5M8K3X',
  email: 'ann@example.com',
  firstName: 'Ann',
  lastName: 'Lindqvist',
  address: '12 Harbour Street',
  country: 'SE',
  hasPassword: true,
  mustChangePassword: false,
  createdAt: '2026-01-01T09:30:00.000Z',
};

export const order = {
  orderId: 'M7K2Q9TX4B',
  productName: 'Mendara Data Recovery for Windows',
  plan: 'Pro',
  amount: '19.99',
  currency: 'USD',
};

export const paidOrder = {
  ...order,
  status: 'success',
  paidAt: '2026-11-02T08:15:00.000Z',
  withdrawableUntil: '2026-12-02T08:15:00.000Z',
  withdrawnAt: null,
};

export const licenceCode = '7Q2MX-K4T9B-W3H8D-N6R1P';

export const owned = {
  id: '01JD8Z7A5S2E6W9Y3H4J1P0R8T',
  product: order.productName,
  currentPlan: 'Pro',
  type: 'year',
  expirationDate: '2027-11-02T08:15:00.000Z',
  status: 'normal',
  licenceCode,
  autoRenew: true,
  endedBy: null,
  nextCharge: { amount: '19.99', currency: 'USD', at: '2027-11-02T08:15:00.000Z' },
  graceUntil: null,
};

export const taskId = '4f0c1d7e9a2b4c6d8e0f1a2b3c4d5e6f';

export const task = {
  taskId,
  type: 18,
  fileName: 'report.pdf',
  fileSize: 48213,
  status: 'waiting',
  queuePosition: 1,
  queueSeconds: 4,
  report: null,
  downloadUrl: null,
  downloadName: null,
  expiresAt: '2026-11-23T08:05:00.000Z',
};

export const linkKey = 'b7Jt0o2Vw9qKx4mZr1cYh8sLd3fPa6Eu5nGi';
export const sandboxKey = '9c2f4e6a8b0d1c3e5f7a9b1d3c5e7f90';
export const redirectUri = 'http://localhost:3000/account';
