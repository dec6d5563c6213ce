'use client';

import { useState } from 'react';
import type { UserInfo } from '@/store/session-machine';
import { DataPanel } from './data-panel';
import { AntdProvider } from './kit/antd-provider';
import { OrdersPanel } from './papers/orders-panel';
import { PasswordPanel } from './password-panel';
import { ProductsPanel } from './products-panel';
import { ProfilePanel } from './profile-panel';
import { SessionsPanel } from './sessions-panel';

/** Everything of the account, below its heading and beside its menu. */
export function AccountPanels({ user }: { user: UserInfo }) {
  // A withdrawal ends a licence, so the products are read again after one.
  const [withdrawals, setWithdrawals] = useState(0);
  return (
    <AntdProvider>
      <ProductsPanel key={withdrawals} />
      <OrdersPanel onWithdrawn={() => setWithdrawals((count) => count + 1)} />
      <ProfilePanel key={user.id} user={user} />
      {user.signsInElsewhere ? null : <PasswordPanel user={user} />}
      <SessionsPanel />
      <DataPanel user={user} />
    </AntdProvider>
  );
}
