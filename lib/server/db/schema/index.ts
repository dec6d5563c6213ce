export * from './accounts';
export * from './objects';
export * from './operations';
export * from './purchases';
export * from './repairs';
