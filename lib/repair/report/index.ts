export { Allowance, Effort } from './effort';
export { Deadline, defaultLimits, LimitError, type RepairLimits, RepairMisuse } from './limits';
export type { EngineJob, EngineOutput, Outcome } from './outcome';
export {
  type Family,
  type FamilyCode,
  type Finding,
  families,
  type RepairReport,
} from './types';
