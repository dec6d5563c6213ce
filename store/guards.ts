import { AppError } from '../lib/utils/app-error';
import type { Session } from './session-machine';

/** What a guard decides for a page: show it, wait for the session check, ask again, or lead to the sign-in provider. */
export type GuardVerdict = 'show' | 'wait' | 'retry' | 'sign-in';

/** Every page guard by name (lib/contract/README.md, 63). */
const guards: Record<string, (session: Session) => GuardVerdict> = {
  signedIn: ({ is }) => {
    // A user that is only remembered is not let in while the check runs: the page's own calls would fail first.
    if (is === 'signed-in') return 'show';
    if (is === 'unanswered') return 'retry';
    return is === 'signed-out' ? 'sign-in' : 'wait';
  },
};

/** Asks a guard. An unknown name is an error of status 500 (lib/contract/README.md, 48). */
export function runGuard(name: string, session: Session): GuardVerdict {
  const guard = Object.hasOwn(guards, name) ? guards[name] : undefined;
  if (!guard) throw new AppError(`Unknown page guard "${name}"`);
  return guard(session);
}
