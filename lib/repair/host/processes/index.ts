export { AnsweringProcess } from './answering';
export { countChildren, type Supervised, start } from './supervisor';
