export function installAndBuild(root: string, options?: { signal?: AbortSignal }): Promise<void>;
