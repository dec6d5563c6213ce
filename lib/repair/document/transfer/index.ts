export { returnsPutBack } from './returns';
export { type Undone, withoutTextMode } from './textmode';
