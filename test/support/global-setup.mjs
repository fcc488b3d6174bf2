export { startServices as default } from './services.mjs';
