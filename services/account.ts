/** The calls of an account holder, in one part of the program: each part of its own costs more than what it holds. */
export * from './orders';
export * from './user';
