export type { Missing } from './judge';
export { openSandbox, type SandboxOptions } from './open';
export type { Isolation, Sandbox } from './sandbox';
export { Workplace } from './workplace';
