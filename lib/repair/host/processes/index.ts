export { countChildren, type Supervised, start } from './supervisor';
