export { openSandbox, type SandboxOptions } from './open';
export type { Sandbox } from './sandbox';
export { Workplace } from './workplace';
