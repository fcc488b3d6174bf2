export function makeTemplates(url: string): Promise<void>;
export function emptyDatabase(url: string): Promise<void>;
