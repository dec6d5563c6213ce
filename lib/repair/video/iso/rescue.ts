import type { Outcome } from '../../report';
import type { Session } from '../session';
import type { Layout } from './layout';
import type { Movie } from './movie';

/** Brings back a video whose index is gone. */
export async function repairWithoutIndex(session: Session, _layout: Layout, _movie: Movie | null): Promise<Outcome> {
  return session.draft.unrepairable(
    "The index of this video is gone, and its frames can't be told apart without it. A working video from the same camera would help.",
  );
}
