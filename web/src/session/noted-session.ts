const place = 'parley-signed-in';

/** Remembers whether there is a session, for what index.html shows before the script has run. */
export function noteSession(isSignedIn: boolean): void {
  if (isSignedIn) localStorage.setItem(place, 'yes');
  else localStorage.removeItem(place);
}
