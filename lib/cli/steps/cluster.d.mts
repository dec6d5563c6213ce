export function preparedCluster(): Promise<string | null>;
export function bringCluster(bundle: string): Promise<void>;
