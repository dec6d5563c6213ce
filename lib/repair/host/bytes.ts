/** The bytes that the engine works with. In a browser a package of the same interface stands here. */
export { Buffer } from 'node:buffer';
