import { tools } from './tools';

/** What a process and its children may take of the machine; what is not named is not limited. */
export type ProcessLimits = {
  /** Private memory in bytes, of each process. Not address space, of which WebAssembly reserves far more than it uses. */
  memoryBytes?: number | undefined;
  /** Processor time in seconds, of each process. */
  cpuSeconds?: number | undefined;
  /** Size in bytes of any file that is written. */
  fileBytes?: number | undefined;
  /** Processes and threads at a time; only where a user namespace of its own counts them apart. */
  processes?: number | undefined;
};

/** Puts a command under its limits by prlimit(1), where that is found; the limits are passed on to its children. */
export function limited(command: readonly string[], limits: ProcessLimits): string[] {
  const { prlimit } = tools();
  if (!prlimit) return [...command];
  const { memoryBytes, cpuSeconds, fileBytes, processes } = limits;
  const figures = { data: memoryBytes, cpu: cpuSeconds, fsize: fileBytes, nproc: processes };
  const options = Object.entries(figures).flatMap(([name, figure]) =>
    figure === undefined ? [] : [`--${name}=${Math.ceil(figure)}`],
  );
  return options.length === 0 ? [...command] : [prlimit, ...options, '--core=0', '--', ...command];
}
