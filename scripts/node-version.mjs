// Ends a program of this checkout on a Node that is too old for it, before anything else is loaded. Imported first;
// `npm run build` puts it in front of the bundled programs, too. It must run on any Node that has modules.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Parley needs Node 20.19 or later; this is ${process.version}.`);
  process.exit(1);
}
