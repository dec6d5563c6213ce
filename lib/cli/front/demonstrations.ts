import { logError } from '../../server/base/log';
import type { Context } from '../../server/context';
import { installerList } from '../../server/downloads/list-installers';
import type { RuntimeValues } from './public-address';
import type { PageResponder } from './respond';

/** How often the installers are looked at: an operator puts them in place while we run. */
const LOOK_EVERY_MS = 60_000;

/** What shows the notes of these installers, such as `recovery-win`, in a page and in its payload (components/actions/demonstration-note.tsx). */
function showing(names: readonly string[]): RuntimeValues {
  return names.flatMap((name): [string, string][] => [
    [`data-of="${name}" hidden=""`, `data-of="${name}"`],
    [`"data-of":"${name}","hidden":true`, `"data-of":"${name}"`],
  ]);
}

/** Has pages say which downloads are demonstration files, from now on and as long as the process lives (lib/contract/README.md, 81). */
export async function followDemonstrations(ctx: Context, pages: Pick<PageResponder, 'change'>): Promise<void> {
  let before = '';
  const look = async (): Promise<void> => {
    try {
      const rows = await installerList(ctx, '');
      const names = rows.filter(({ demonstration }) => demonstration).map(({ website, os }) => `${website}-${os}`);
      if (names.join() !== before) pages.change(showing(names));
      before = names.join();
    } catch (error) {
      // A store that does not answer leaves pages as they are.
      logError('installers.unread', 'The installers could not be looked at.', error);
    }
  };
  await look();
  setInterval(() => void look(), LOOK_EVERY_MS).unref();
}
