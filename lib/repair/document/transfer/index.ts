export { returnsPutBack } from './returns';
export { tellUndone, type Undone, withoutTextMode } from './textmode';
