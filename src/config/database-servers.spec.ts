import { serversOf } from './database-servers.js';

describe('the servers that a DATABASE_URL names', () => {
  it.each([
    'postgres://parley:secret@127.0.0.1:5432/parley',
    'postgresql://parley@db/parley?sslmode=require',
    'postgres:///parley?host=/var/run/postgresql',
    'postgres://parley:a%2Cb@[::1]:5432/parley',
  ])('%s: one, as it is written', (url) => {
    expect(serversOf(url)).toEqual({ urls: [url], isChoice: false });
  });

  it('several, each with its own port and all other settings', () => {
    expect(
      serversOf(
        'postgres://u:p@a:5433,b,[::1]:5434/parley?sslmode=require&target_session_attrs=primary',
      ),
    ).toEqual({
      urls: [
        'postgres://u:p@a:5433/parley?sslmode=require',
        'postgres://u:p@b/parley?sslmode=require',
        'postgres://u:p@[::1]:5434/parley?sslmode=require',
      ],
      isChoice: true,
    });
  });

  it('one that must take writes', () => {
    expect(serversOf('postgres://a/parley?target_session_attrs=read-write')).toEqual({
      urls: ['postgres://a/parley'],
      isChoice: true,
    });
  });

  it.each([
    'mysql://a/parley',
    'parley',
    'postgres://a,/parley',
    'postgres://a:port/parley',
    'postgres://a,b:99999/parley',
    'postgres://a,b/parley?target_session_attrs=any',
    'postgres://a,b/parley?target_session_attrs=standby',
  ])('%s is refused', (url) => {
    expect(serversOf(url)).toBeNull();
  });
});
