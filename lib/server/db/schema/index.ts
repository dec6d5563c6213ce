export * from './accounts';
export * from './operations';
export * from './purchases';
export * from './repairs';
