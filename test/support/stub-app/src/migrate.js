console.log(JSON.stringify({ level: 30, msg: 'nothing to migrate' }));
