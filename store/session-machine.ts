import type { UserDetail } from '../lib/contract/session';

/** The signed-in user as the state and the `userInfo` cookie hold it (lib/contract/README.md, 31). */
export type UserInfo = UserDetail & { Authorization: string };

/**
 * How the session of this load stands. While it is checked, and when no server answered, `user` is who is remembered:
 * fit to be named, not to be let in. `told`: whoever is signed out has been told so, or did it, or needs not be: the check of
 * the load found the session ended (`isFound`), which only a screen that shows what belonged to it has to say.
 */
export type Session =
  | { is: 'unknown' }
  | { is: 'checking'; user: UserInfo | null }
  | { is: 'unanswered'; user: UserInfo | null }
  | { is: 'signed-in'; user: UserInfo }
  | { is: 'signed-out'; told: boolean; isFound?: true };

/** What can happen to a session (lib/contract/README.md, 60 and 61). */
export type SessionEvent =
  /** A check begins; `user` is who the browser remembers. */
  | { type: 'check'; user: UserInfo | null }
  /** The check found the kept token alive. */
  | { type: 'confirm'; user: UserInfo }
  /** A token or a ticket made a new session. */
  | { type: 'signIn'; user: UserInfo }
  /** The profile was changed. */
  | { type: 'change'; user: UserInfo }
  /** The check got no verdict. */
  | { type: 'noAnswer' }
  /** The code of the check did not load. */
  | { type: 'noCode' }
  /** There is no session, or it was ended, as by the session-invalid answer; `told` unless nobody was signed in to begin with. */
  | { type: 'end'; told: boolean; isFound?: true };

/** The session's one transition function. What does not fit the state changes nothing, and the same object comes back. */
export function nextSession(state: Session, event: SessionEvent): Session {
  switch (event.type) {
    case 'check':
      return { is: 'checking', user: event.user };
    case 'signIn':
      return signedIn(event.user);
    case 'change':
      return state.is === 'signed-in' ? signedIn(event.user) : state;
    case 'end':
      return { is: 'signed-out', told: event.told, ...(event.isFound ? { isFound: true } : {}) };
  }
  // The rest is the answer to a check: a session that was ended meanwhile does not come back with it.
  if (state.is !== 'checking') return state;
  if (event.type === 'confirm') return signedIn(event.user);
  // Without an answer the kept user stays, and every call will say for itself whether it is let in.
  return event.type === 'noAnswer' && state.user ? signedIn(state.user) : { is: 'unanswered', user: state.user };
}

const signedIn = (user: UserInfo): Session => ({ is: 'signed-in', user });
