import type { Outcome } from '../../report';
import type { Session } from '../session';

/** Placeholder. */
export async function repairTransport(session: Session): Promise<Outcome> {
  return session.draft.unrepairable('Not yet.');
}
