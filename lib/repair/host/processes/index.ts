export { AnsweringProcess } from './answering';
export type { ProcessLimits } from './limits';
export { type Ended, type ProcessKind, type StartOptions, type Supervised, start } from './supervisor';
