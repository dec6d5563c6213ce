import { create } from 'zustand';
import type { Website } from '../lib/catalog/types';
import type { UserDetail } from '../lib/contract/session';

/** The signed-in user as the state and the `userInfo` cookie hold it (specification section 3). */
export type UserInfo = UserDetail & { Authorization: string };

/** App state of specification section 3. `session` says how the check of this load stands; `unanswered`: the server gave no verdict. */
export type AppState = {
  userInfo: UserInfo | null;
  session: 'unknown' | 'checking' | 'signed-in' | 'signed-out' | 'unanswered';
  channel: string | null;
  showFooterBar: boolean;
  showNavBar: boolean;
  website: Website;
  showPayDialog: boolean;
  productName: string;
};

/** The one store of what several screens must know. */
export const useAppState = create<AppState>(() => ({
  userInfo: null,
  session: 'unknown',
  channel: null,
  showFooterBar: true,
  showNavBar: true,
  website: 'recovery',
  showPayDialog: false,
  productName: '',
}));
