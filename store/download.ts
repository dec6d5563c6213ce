import { productLines } from '../lib/catalog/brands';
import { DEMONSTRATION } from '../lib/catalog/demonstration';
import { phoneOs } from '../lib/catalog/limits';
import type { Platform, Website } from '../lib/catalog/types';
import { devicePhoneOs, storedUuid } from '../lib/utils/client-values';
import { randomId } from '../lib/utils/random-id';
import { saveBlob } from '../lib/utils/save-file';
import { logEvent } from './event-log';
import { showToast } from './toasts';

/**
 * Fetches an installer (specification section 4, "Download"): a .dmg address is opened, anything else is downloaded as
 * a binary under the brand's name with the uuid, a random one that is not kept where none is stored.
 */
export async function downloadInstaller(website: Website, os?: Platform): Promise<void> {
  const platform = os === undefined ? devicePhoneOs() : os === 'mac' ? phoneOs.mac : phoneOs.windowsAndOther;
  const { installerAddress, installers } = await import('../services/downloads');
  const answer = await installerAddress(website, platform);
  if (!answer.ok) {
    showToast(answer.error.msg, 'error');
    return;
  }
  logEvent('download', { website, phoneOs: platform });
  const facts = await installers();
  const file = facts.ok ? facts.value.find(({ url }) => url === answer.value) : undefined;
  if (file?.demonstration) showToast(DEMONSTRATION);
  if (answer.value.includes('.dmg')) {
    window.location.assign(answer.value);
    return;
  }
  await saveBinary(answer.value, `${productLines[website].installer}_${storedUuid() ?? randomId()}.exe`);
}

/**
 * A server's own file name would win over a link's, so the file is fetched and saved under ours. Where another origin
 * does not let itself be read, the browser downloads it under the name it has.
 */
async function saveBinary(address: string, name: string): Promise<void> {
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`status ${response.status}`);
    saveBlob(await response.blob(), name);
  } catch {
    if (new URL(address, window.location.origin).origin !== window.location.origin) window.location.assign(address);
    else showToast('The download didn’t start. Please try again.', 'error');
  }
}
