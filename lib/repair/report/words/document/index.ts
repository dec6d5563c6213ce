/** Every sentence of a report on a document, made from its facts. */
export { amountOf, lossOf, rebuiltOf } from './amounts';
export { findingOf } from './damages';
export { summaryOf } from './ends';
export { noteOf } from './remarks';
export { stepOf } from './steps';
