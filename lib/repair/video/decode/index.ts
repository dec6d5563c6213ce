export { judgeByDecoding } from './judge';
export { type Decoded, DecodeLog } from './log';
export { decodeArguments, decodeFile } from './run';
