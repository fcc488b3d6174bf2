export function makeTemplates(url: string, checkout?: string): Promise<void>;
export function emptyDatabase(url: string): Promise<void>;
