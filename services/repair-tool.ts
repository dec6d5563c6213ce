/** The calls of the online tools, together, so that they arrive as one part of the program with the first file. */
export { deleteTask, nameVisitor, ownRepairs, readTask, resultAddress, startTask, uploadSignature } from './repair';
export { sendUpload } from './upload';
