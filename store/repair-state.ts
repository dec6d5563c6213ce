import { create } from 'zustand';
import type { OnlineTool } from '../lib/catalog/tools';
import { idle, nextRepair, type RepairEvent, type RepairState, taskOf } from './repair-machine';
import { keepInAddress } from './task-address';

/** States of the three tools: what happened in one never shows in another. */
const useRepairs = create<Record<OnlineTool['kind'], RepairState>>(() => ({
  video: idle,
  file: idle,
  photo: idle,
}));

/** State of a tool. */
export function useRepair(tool: OnlineTool): RepairState {
  return useRepairs((state) => state[tool.kind]);
}

/** State of a tool, outside a component. */
export function stateOf({ kind }: OnlineTool): RepairState {
  return useRepairs.getState()[kind];
}

/** Something happened to a tool; answers how it stands now. The address follows the task. */
export function step(tool: OnlineTool, event: RepairEvent): RepairState {
  const before = stateOf(tool);
  const after = nextRepair(before, event);
  useRepairs.setState({ [tool.kind]: after });
  if (taskOf(after) !== taskOf(before)) keepInAddress(tool, taskOf(after));
  return after;
}
