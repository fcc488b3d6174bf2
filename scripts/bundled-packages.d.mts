import type { Plugin } from 'vite';

export function listPackages(build: string): Plugin;
