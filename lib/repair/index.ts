export { detectFormat } from './detect';
export { type RepairJob, repairFile } from './engine';
export { type FamilyCode, RepairMisuse, type RepairReport } from './report';
export { engineVersion } from './version';
