import { preparedCluster } from '../../lib/cli/steps/cluster.mjs';

/** Has the embedded database of every test begin with the cluster that the build prepares, as a server does. */
export default async function prepare(): Promise<void> {
  const folder = await preparedCluster();
  if (folder) process.env.MENDARA_CLUSTER = folder;
}
