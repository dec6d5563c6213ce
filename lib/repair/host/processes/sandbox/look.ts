import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { start } from '../supervisor';

/** What a process that looks around is to try: a file to read, one to write, and a program that it should be able to start. */
export type Errand = { input: string; output: string; program?: string | undefined };

/** Namespaces by the names of /proc/self/ns, with what is shared without one of its own. */
export const namespaces = { mnt: 'files', net: 'network', pid: 'processes', user: 'users' } as const;

/** What a process finds where a repair would run. Everything that is told by /proc is null where there is none. */
export type Sight = {
  /** What the input holds. */
  read: string;
  /** Whether sharp, a native library, decodes a picture. */
  hasPictures: boolean;
  /** Whether processes can be started, and the program of the errand among them. */
  starts: boolean;
  startsProgram: boolean;
  namespaces: Record<keyof typeof namespaces, string> | null;
  hasNoPrivileges: boolean;
  /** Soft limits by the names of /proc/self/limits; `unlimited` is left out. */
  limits: Record<string, number>;
  /** Whether the kernel counts our processes; it never does for the machine's own root. */
  countsProcesses: boolean;
};

/** The smallest PNG: one black pixel, greyscale. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

/** Tries in this very process what a repair does and looks at what it may. Rejects when the input or the output is out of reach. */
export async function look({ input, output, program }: Errand): Promise<Sight> {
  writeFileSync(output, 'written');
  const { default: sharp } = await import('sharp');
  const { info } = await sharp(Buffer.from(pixel, 'base64')).raw().toBuffer({ resolveWithObject: true });
  return {
    read: readFileSync(input, 'utf8'),
    hasPictures: info.width === 1,
    starts: await canStart(process.execPath, ['--version']),
    startsProgram: program === undefined || (await canStart(program, ['-version'])),
    namespaces: ownNamespaces(),
    hasNoPrivileges: /^NoNewPrivs:\s+1$/m.test(status()) && /^CapEff:\s+0+$/m.test(status()),
    limits: limits(),
    countsProcesses: process.getuid?.() !== 0 || isRootOfNamespace(),
  };
}

async function canStart(program: string, args: string[]): Promise<boolean> {
  const { code } = await start('probe', program, args, { output: 'ignore', milliseconds: 10_000 }).done;
  return code === 0;
}

/** The namespaces of this process, as the kernel numbers them; null where there are none. */
export function ownNamespaces(): Sight['namespaces'] {
  try {
    const of = (name: string) => readlinkSync(`/proc/self/ns/${name}`);
    return { mnt: of('mnt'), net: of('net'), pid: of('pid'), user: of('user') };
  } catch {
    return null;
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const status = () => contentOf('/proc/self/status');

function limits(): Record<string, number> {
  const lines = contentOf('/proc/self/limits').matchAll(/^Max (.+?)\s{2,}(\d+)\s/gm);
  return Object.fromEntries([...lines].map(([, name, figure]) => [name, Number(figure)]));
}

/** Whether user 0 here is somebody else outside. */
function isRootOfNamespace(): boolean {
  const [inside, outside] = contentOf('/proc/self/uid_map').trim().split(/\s+/);
  return inside === '0' && outside !== undefined && outside !== '0';
}
