export { detectFormat } from './detect';
export { type RepairJob, repairFile } from './engine';
export {
  defaultLimits,
  type FamilyCode,
  type Finding,
  type Measure,
  type RepairLimits,
  RepairMisuse,
  type RepairReport,
  type RepairStep,
  type Verdict,
  verdicts,
} from './report';
export { engineVersion } from './version';
