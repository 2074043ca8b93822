// Makes the JPEG fixtures: 32x32, quadrants red, green / blue, white. gcc make.c -ljpeg
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
static void rgb(int x,int y,unsigned char*p){int q=(x>=16)+2*(y>=16);static unsigned char c[4][3]={{255,0,0},{0,255,0},{0,0,255},{255,255,255}};memcpy(p,c[q],3);}
static void make(const char*name,int cmyk,int adobe,int inverted,int arith,int keeprgb,int prog,int odd,int restart,int ycck){
  struct jpeg_compress_struct c; struct jpeg_error_mgr e; c.err=jpeg_std_error(&e); jpeg_create_compress(&c);
  FILE*f=fopen(name,"wb"); jpeg_stdio_dest(&c,f);
  c.image_width=c.image_height=32; c.input_components=cmyk?4:3; c.in_color_space=cmyk?JCS_CMYK:JCS_RGB;
  jpeg_set_defaults(&c); jpeg_set_quality(&c,90,1);
  if(cmyk){ jpeg_set_colorspace(&c,ycck?JCS_YCCK:JCS_CMYK); c.write_Adobe_marker=adobe; }
  if(keeprgb){ jpeg_set_colorspace(&c,JCS_RGB); c.write_Adobe_marker=1; c.write_JFIF_header=0;}
  if(odd){ c.comp_info[0].h_samp_factor=3; c.comp_info[0].v_samp_factor=1; c.comp_info[1].h_samp_factor=1; c.comp_info[2].h_samp_factor=1; c.comp_info[1].v_samp_factor=c.comp_info[2].v_samp_factor=1; }
  c.arith_code=arith; if(prog) jpeg_simple_progression(&c); c.restart_interval=restart; c.optimize_coding=!arith;
  jpeg_start_compress(&c,1);
  for(int y=0;y<32;y++){ unsigned char row[128]; for(int x=0;x<32;x++){ unsigned char p[3]; rgb(x,y,p);
    if(cmyk){ for(int i=0;i<3;i++) row[x*4+i]= inverted? p[i]:255-p[i]; row[x*4+3]=inverted?255:0; } else memcpy(row+x*3,p,3);} 
    JSAMPROW r=row; jpeg_write_scanlines(&c,&r,1);} 
  jpeg_finish_compress(&c); fclose(f);
}
int main(){
  make("cmyk-adobe.jpg",1,1,1,0,0,0,0,0,0);
  make("cmyk-plain.jpg",1,0,0,0,0,0,0,0,0);
  make("ycck.jpg",1,1,1,0,0,0,0,0,1);
  make("arithmetic.jpg",0,0,0,1,0,0,0,0,0);
  make("arithmetic-progressive.jpg",0,0,0,1,0,1,0,0,0);
  make("rgb.jpg",0,0,0,0,1,0,0,0,0);
  make("odd-sampling.jpg",0,0,0,0,0,0,1,0,0);
  make("restarts.jpg",0,0,0,0,0,0,0,1,0);
  return 0;}
