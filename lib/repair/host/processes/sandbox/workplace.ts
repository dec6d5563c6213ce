import { chmod, lchown, lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Name of the file that a repair writes into its output folder. */
const resultName = 'result';

/** A folder for one repair: where its output goes, and an empty one for the root of a sandbox. */
export class Workplace {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the folders under `parent`, for `user` to write to if another than ours. */
  static async make(parent: string, user: number | null): Promise<Workplace> {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    const place = new Workplace(await mkdtemp(join(parent, 'repair-')));
    try {
      await mkdir(place.root, { mode: 0o700 });
      await mkdir(place.output, { mode: 0o700 });
      if (user !== null) await lchown(place.output, user, user);
      return place;
    } catch (error) {
      await place.remove();
      throw error;
    }
  }

  get root(): string {
    return join(this.#folder, 'root');
  }
  get output(): string {
    return join(this.#folder, 'output');
  }
  get result(): string {
    return join(this.output, resultName);
  }

  /**
   * Moves the result to `path`, which must be on the same file system, as our own file. To be called when the repair is over. Resolves
   * with whether there is one; rejects when it is not a plain file of one name, such as a link that leads out of the folder.
   */
  async publish(path: string): Promise<boolean> {
    const found = await lstat(this.result).catch(() => null);
    if (!found) return false;
    if (!found.isFile() || found.nlink !== 1) throw new Error('The repair left something else than a file.');
    const [user, group] = [process.getuid?.(), process.getgid?.()];
    if (user !== undefined && group !== undefined && found.uid !== user) await lchown(this.result, user, group);
    await chmod(this.result, 0o600);
    await rename(this.result, path);
    return true;
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
