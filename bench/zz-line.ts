import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openBubblewrapMachines } from '#server/adapters/bubblewrap/index.ts'
import { openShell } from '#server/stages/arena/shell/shell.ts'
import { spawn } from 'node:child_process'
const dir=fs.mkdtempSync('/tmp/ground/lm-')
const engine=await openBubblewrapMachines(path.join(dir,'boxes'),null)
const MB=1<<20
const spec={id:'x',image:'host',profile:'machine',workdir:null,env:{},network:'none',limits:{memoryBytes:512*MB,cpus:1,processes:64,diskBytes:64*MB,openFiles:1024,fileBytes:64*MB},labels:{}} as const
const T:Record<string,number[]>={}
const add=(k:string,v:number)=>(T[k]??=[]).push(v)
for(let i=0;i<40;i++){
 for (const tty of [false,true]) {
 const cpu=process.threadCpuUsage();
 let a=performance.now(); const m=await engine.create(spec as never); add('create '+tty,performance.now()-a)
 a=performance.now(); const c=await m.open({argv:['/usr/bin/cat'],terminal:tty?{columns:80,rows:24}:null} as never); add('open cat '+tty,performance.now()-a)
 await c.end()
 a=performance.now(); const s=await openShell(m,{terminal:tty?{columns:80,rows:24}:null}); add('shell '+tty,performance.now()-a)
 a=performance.now(); await s.exec({command:'echo x',timeoutSec:5,maxOutputBytes:1000}); add('exec '+tty,performance.now()-a)
 a=performance.now(); await s.end(); add('end '+tty,performance.now()-a)
 a=performance.now(); await m.remove(); add('remove '+tty,performance.now()-a)
 const u=process.threadCpuUsage(cpu); add('cpu '+tty,(u.user+u.system)/1000)
 }
 const BARE='--unshare-all --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev --tmpfs /tmp --die-with-parent /usr/bin/bash --norc --noprofile'.split(' ')
 let a=performance.now();const ch=spawn('/usr/bin/bwrap',BARE,{stdio:['pipe','pipe','ignore']});ch.stdin.write('echo x\n');await new Promise(r=>ch.stdout.once('data',r));add('bare',performance.now()-a);ch.stdin.end();await new Promise(r=>ch.once('exit',r))
}
for(const k in T){const t=T[k]!.sort((x,y)=>x-y);console.log(k.padEnd(16),'min',t[0]!.toFixed(2),'p25',t[t.length>>2]!.toFixed(2),'p50',t[t.length>>1]!.toFixed(2))}
fs.rmSync(dir,{recursive:true,force:true})
