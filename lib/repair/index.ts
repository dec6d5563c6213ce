export { detectFormat } from './detect';
export { type RepairJob, repairFile } from './engine';
export {
  type FamilyCode,
  type Finding,
  type Measure,
  type RepairLimits,
  RepairMisuse,
  type RepairReport,
  type RepairStep,
  type Verdict,
} from './report';
export { engineVersion } from './version';
