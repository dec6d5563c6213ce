export { AnsweringProcess } from './answering';
export { countChildren, type Ended as ProcessEnded, type Supervised, start } from './supervisor';
