export { type Supervised, start } from './supervisor';
