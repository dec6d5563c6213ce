import { create } from 'zustand';
import type { OwnRepairs } from '../lib/contract/repair';

type OwnRepair = OwnRepairs['tasks'][number];

/** What of this visitor's lies on the server: not asked for yet, asked for, told, or not told with the reason. */
export type OwnRepairsState =
  | { is: 'unasked' }
  | { is: 'loading' }
  | { is: 'told'; most: number; tasks: OwnRepair[]; deleting: string | null; error: string | null }
  | { is: 'failed'; error: string };

/** The visitor's own repairs, as every tool's page shows them. */
export const useOwnRepairs = create<{ state: OwnRepairsState }>(() => ({ state: { is: 'unasked' } }));

const set = (state: OwnRepairsState) => useOwnRepairs.setState({ state });

/** Asks what lies on the server; a list that is shown stays until the new one is there. */
export async function loadOwnRepairs(): Promise<void> {
  if (useOwnRepairs.getState().state.is !== 'told') set({ is: 'loading' });
  const { ownRepairs } = await import('../services/repair-tool');
  const answer = await ownRepairs();
  if (answer.ok) set({ is: 'told', ...answer.value, deleting: null, error: null });
  else set({ is: 'failed', error: answer.error.msg });
}

/** Deletes one of them at once; the list says when that did not work. */
export async function deleteOwnRepair(id: string): Promise<void> {
  const { state } = useOwnRepairs.getState();
  if (state.is !== 'told' || state.deleting) return;
  set({ ...state, deleting: id, error: null });
  const { deleteTask } = await import('../services/repair-tool');
  const answer = await deleteTask(id);
  // Gone by itself, or in another tab: that is what was asked for.
  if (answer.ok || answer.error.kind === 'refusal') {
    set({ ...state, tasks: state.tasks.filter((task) => task.id !== id), deleting: null, error: null });
  } else set({ ...state, deleting: null, error: answer.error.msg });
}
