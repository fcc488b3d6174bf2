import { passwordFault } from './password-strength.js';

const names = ['maria.sommer@bakery-north.example', 'Bakery North'];

describe('a new password', () => {
  it.each([
    'correct horse battery staple',
    'twelve characters and more',
    'canary-of-a-password',
    'Tr0ub4dor&3xyW',
    'zwölf kleine Brötchen',
    'пароль из слов',
    'my bakery opens at dawn',
    '7c1f0a9be244',
  ])('may be %j', (password) => {
    expect(passwordFault(password, names)).toBeNull();
  });

  it.each([
    ['            ', 'must not be blank'],
    ['\u3164'.repeat(12), 'must not be blank'],
    ['aaaaaaaaaaaa', 'too easy'],
    ['abababababab', 'too easy'],
    ['xyz1xyz1xyz1xy', 'too easy'],
    ['aaaabbbbcccc', 'too easy'],
    ['abcdefghijkl', 'too easy'],
    ['987654321098', 'too easy'],
    ['123456789012', 'most common'],
    ['qwertyuiopas', 'too easy'],
    ['QWERTZUIOPYX', 'too easy'],
    ['poiuytrewqlk', 'too easy'],
    ['1qaz2wsx3edc', 'most common'],
    ['!@#$%^&*()!@', 'too easy'],
    ['qwe123asd456', 'most common'],
    ['ａａａａａａａａａａａａ', 'too easy'],
    ['maria.sommer@bakery-north.example', 'too easy'],
    ['Maria.Sommer', 'too easy'],
    ['sommer-maria-2026', 'too easy'],
    ['BakeryNorth1!', 'too easy'],
    ['parleyparley', 'too easy'],
    ['Parley-WhatsApp', 'too easy'],
    ['parley123456', 'too easy'],
    ['passwordpassword', 'most common'],
    ['Password1234!', 'most common'],
    ['p@ssw0rd2026', 'most common'],
    ['  password!!  ', 'most common'],
    ['123456sunshine', 'most common'],
    ['QWErty123456', 'most common'],
  ])('must not be %j', (password, fault) => {
    expect(passwordFault(password, names)).toContain(fault);
  });

  it('of any length is judged at once', () => {
    expect(passwordFault('ab1'.repeat(40) + 'xyzäöü?', names)).toBeNull();
  });
});
