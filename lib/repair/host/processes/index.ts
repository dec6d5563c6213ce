export { AnsweringProcess } from './answering';
export { type Supervised, start } from './supervisor';
