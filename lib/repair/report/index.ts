export { counted } from './counted';
export { Effort } from './effort';
export { Deadline, defaultLimits, LimitError, type RepairLimits, RepairMisuse } from './limits';
export { Draft, type Engine, type EngineJob, type EngineOutput, type Engines, type Outcome } from './outcome';
export {
  type Family,
  type FamilyCode,
  type Finding,
  families,
  type Measure,
  type RepairReport,
} from './types';
