export function makeTemplates(url: string): Promise<string>;
