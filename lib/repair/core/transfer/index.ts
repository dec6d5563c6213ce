export { tellUndone, type Undone, withoutTextMode } from './textmode';
